// Preloaded by `npm start`: npm passes SIGTERM on to its shell, and most shells die of it without telling their child.
const CHECK_MS = 250;
const parent = process.ppid;

const check = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(check);
  process.kill(process.pid, 'SIGTERM');
}, CHECK_MS);
check.unref();
