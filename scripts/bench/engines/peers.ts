// Other tracers, each at a pinned version and with its own defaults.
import { StepFailed } from '../../lib/command.ts';
import type { Gap } from '../core/results.ts';
import { type Contender, inNode } from './contender.ts';
import { npmInstall } from './install.ts';

interface Peer extends Pick<Contender, 'id' | 'name' | 'about' | 'modes'> {
  /** Returns the program to start; throws StepFailed if it cannot be installed. */
  install(): Pick<Contender, 'command' | 'args'>;
}

const BOTH = ['color', 'binary'] as const;

const PEERS: Peer[] = [
  {
    ...package_('vtracer-wasm', '0.1.0', 'vtracer wasm', BOTH),
    about: 'npm vtracer-wasm 0.1.0: vtracer in WebAssembly',
  },
  {
    ...package_('@neplex/vectorizer', '0.1.0', '@neplex', BOTH),
    about: 'npm @neplex/vectorizer 0.1.0: vtracer as a native Node.js addon',
  },
  {
    ...package_('imagetracerjs', '1.2.6', 'imagetracerjs', BOTH),
    about: 'npm imagetracerjs 1.2.6: JavaScript',
  },
  {
    ...package_('esm-potrace-wasm', '0.5.1', 'potrace wasm', ['binary']),
    about: 'npm esm-potrace-wasm 0.5.1: potrace in WebAssembly',
  },
];

function package_(name: string, version: string, label: string, modes: Peer['modes']) {
  const id = name.replace(/^@/, '').replace('/', '-');
  return { id, name: label, modes, install: () => inNode(id, npmInstall(name, version)) };
}

export const peerIds = PEERS.map(({ id }) => id);

/** Installs peers; those that fail are gaps. */
export function installPeers(ids: string[]): { contenders: Contender[]; gaps: Gap[] } {
  const gaps: Gap[] = [];
  const contenders = PEERS.filter(({ id }) => ids.includes(id)).flatMap(
    ({ install, ...peer }): Contender[] => {
      try {
        return [{ ...peer, isOurs: false, ...install() }];
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error;
        gaps.push({ what: peer.name, why: error.message });
        return [];
      }
    },
  );
  return { contenders, gaps };
}
