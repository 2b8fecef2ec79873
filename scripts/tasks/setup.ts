// Installs on this machine what tests and builds need: npm run setup. This is the only task that changes the system.
import { main, output, say } from '../lib/command.ts';
import { findChromium } from '../setup/chromium.ts';
import { aptInstall, hasApt, installDebianRust } from '../setup/debian.ts';
import { findHaproxy } from '../setup/haproxy.ts';
import { findPromtool, installPromtool } from '../setup/promtool.ts';
import { findWasmRust, WASM_TARGET, wasmRust } from '../setup/rust-toolchain.ts';
import { installStoreServer } from '../setup/store-server.ts';

/** What to look for, and the Debian packages that provide it. */
const PROGRAMS: { name: string; isThere(): boolean; packages: string[] }[] = [
  { name: 'a C compiler', isThere: () => answers('cc'), packages: ['gcc', 'libc6-dev'] },
  { name: 'curl', isThere: () => answers('curl'), packages: ['curl', 'ca-certificates'] },
  {
    name: 'Python with venv',
    isThere: () => output('python3', ['-c', 'import ensurepip, venv']) !== undefined,
    packages: ['python3', 'python3-venv'],
  },
  { name: 'HAProxy', isThere: () => findHaproxy() !== undefined, packages: ['haproxy'] },
  { name: 'Chromium', isThere: () => findChromium() !== undefined, packages: ['chromium'] },
];

const answers = (program: string) => output(program, ['--version']) !== undefined;

function installPrograms(): void {
  const missing = PROGRAMS.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  if (!hasApt()) {
    console.warn(`! Install these by hand: ${missing.map(({ name }) => name).join(', ')}`);
    return;
  }
  const packages = missing.flatMap((one) => one.packages);
  say(`apt-get install ${packages.join(' ')}`);
  aptInstall(packages);
}

/** A toolchain of rustup's if it can add the target; otherwise Debian's compiler. */
function installRust(): void {
  if (answers('rustup')) {
    say(`rustup target add ${WASM_TARGET}`);
    const added = [
      ['component', 'add', 'rustfmt', 'clippy'],
      ['target', 'add', WASM_TARGET],
    ].map((args) => output('rustup', args));
    if (added.includes(undefined)) console.warn('! rustup could not add everything');
  }
  if (findWasmRust() === undefined) installDebianRust();
  console.log(wasmRust().version);
}

main(() => {
  installPrograms();
  installStoreServer();
  if (findWasmRust() === undefined || !answers('cargo-clippy') || !answers('cargo-fmt')) installRust();
  if (findPromtool() === undefined) installPromtool();
  say('Everything that tests and builds need is installed');
});
