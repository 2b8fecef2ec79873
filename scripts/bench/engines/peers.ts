// Other tracers, each at a pinned version and with its own defaults.
import type { Gap } from '../core/results.ts';
import type { Contender } from './contender.ts';
import { installOrGap } from './install.ts';

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
export function installPeers(ids: string[], gaps: Gap[]): Contender[] {
  return PEERS.filter((peer) => ids.includes(idOf(peer))).flatMap((peer): Contender[] => {
    const { name, version, modes = ['color', 'binary'] } = peer;
    const place = installOrGap(peer, name, gaps);
    if (place === undefined) return [];
    const id = idOf(peer);
    const about = `npm ${peer.package} ${version}: ${peer.about}`;
    return [{ id, name, about, modes, isOurs: false, adapter: id, place }];
  });
}
