// Preloaded by `npm start` and `npm run trace`. npm passes SIGTERM on to its shell, and some shells die of it without
// telling their child; after SIGKILL, npm cannot pass anything on. The program then ends as if it had got SIGTERM itself.
import { isatty } from 'node:tty';

const CHECK_MS = 250;
const parent = process.ppid;

let isOrphan = false;
const check = setInterval(() => {
  if (process.ppid === parent) return;
  // The second check leaves time for the SIGHUP that ended the parent.
  if (isOrphan) {
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }
  isOrphan = true;
}, CHECK_MS);
check.unref();

// With nohup, the program outlives its terminal, and npm: Node.js undoes nohup's setting, so that npm dies of the SIGHUP.
if (!isatty(0) && !isatty(1)) process.on('SIGHUP', () => clearInterval(check));
