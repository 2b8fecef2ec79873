// Other tracers, each at a pinned version and with its own defaults.
import { StepFailed } from '../../lib/command.ts';
import type { Gap } from '../core/results.ts';
import { type Contender, inNode } from './contender.ts';
import { npmInstall } from './install.ts';

type Peer = Pick<Contender, 'name' | 'about'> & {
  package: string;
  version: string;
  modes?: Contender['modes'];
};

const PEERS: Peer[] = [
  { package: 'vtracer-wasm', version: '0.1.0', name: 'vtracer wasm', about: 'vtracer in WebAssembly' },
  {
    package: '@neplex/vectorizer',
    version: '0.1.0',
    name: '@neplex',
    about: 'vtracer as a native Node.js addon',
  },
  { package: 'imagetracerjs', version: '1.2.6', name: 'imagetracerjs', about: 'JavaScript' },
  {
    package: 'esm-potrace-wasm',
    version: '0.5.1',
    name: 'potrace wasm',
    about: 'potrace in WebAssembly',
    modes: ['binary'],
  },
];

const idOf = (peer: Peer) => peer.package.replace(/^@/, '').replace('/', '-');

export const peerIds = PEERS.map(idOf);

/** Installs peers; those that fail are gaps. */
export function installPeers(ids: string[]): { contenders: Contender[]; gaps: Gap[] } {
  const contenders: Contender[] = [];
  const gaps: Gap[] = [];
  for (const peer of PEERS.filter((one) => ids.includes(idOf(one)))) {
    const { name, version, modes = ['color', 'binary'] } = peer;
    const about = `npm ${peer.package} ${version}: ${peer.about}`;
    try {
      const adapter = inNode(idOf(peer), npmInstall(peer.package, version));
      contenders.push({ id: idOf(peer), name, about, modes, isOurs: false, ...adapter });
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      gaps.push({ what: name, why: error.message });
    }
  }
  return { contenders, gaps };
}
