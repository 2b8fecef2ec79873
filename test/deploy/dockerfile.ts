// Carries out a Dockerfile's instructions in ordinary folders, one for each stage, as no image registry is needed then.
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What an image would run, and where its files are. */
export interface Stage {
  root: string;
  folder: string;
  env: Record<string, string>;
  user: { uid: number; gid: number };
  command: string[];
  healthCheck: string[];
}

interface Instruction {
  name: string;
  flags: Record<string, string>;
  text: string;
}

/** Carries out all instructions. `context` is the folder that COPY copies from; stages go to folders in `to`. */
export function build(dockerfile: string, context: string, to: string): Stage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of parse(readFileSync(dockerfile, 'utf8'))) {
    if (instruction.name === 'FROM') {
      const [, name = 'final'] = / AS (\w+)$/.exec(instruction.text) ?? [];
      stage = newStage(join(to, name));
      stages.set(name, stage);
    } else if (stage === undefined) throw new Error(`${instruction.name} before FROM`);
    else carryOut(instruction, stage, stages.get(instruction.flags.from ?? '')?.root ?? context);
  }
  if (stage === undefined) throw new Error('there is no stage');
  return stage;
}

function parse(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', flags = '', text = ''] = /^([A-Z]+)((?: --\w[\w-]*=\S+)*) (.+)$/.exec(line) ?? [];
    const pairs = Array.from(flags.matchAll(/--([\w-]+)=(\S+)/g), ([, key, value]) => [key, value]);
    return { name, flags: Object.fromEntries(pairs), text };
  });
}

function newStage(root: string): Stage {
  mkdirSync(root);
  const none = { env: {}, user: { uid: 0, gid: 0 }, command: [], healthCheck: [] };
  return { root, folder: root, ...none };
}

function carryOut({ name, flags, text }: Instruction, stage: Stage, from: string): void {
  switch (name) {
    case 'WORKDIR':
      stage.folder = join(stage.root, text);
      mkdirSync(stage.folder, { recursive: true });
      return;
    case 'COPY':
      copy(text.split(' '), stage, from, flags.chown);
      return;
    case 'RUN':
      run(text, stage);
      return;
    case 'ENV': {
      const [key = '', value = ''] = text.split('=');
      stage.env[key] = value;
      return;
    }
    case 'USER': {
      const [uid, gid] = text.split(':').map(Number);
      stage.user = { uid: Number(uid), gid: Number(gid) };
      return;
    }
    case 'CMD':
      stage.command = JSON.parse(text);
      return;
    case 'HEALTHCHECK':
      stage.healthCheck = JSON.parse(text.slice(text.indexOf('[')));
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`the rehearsal does not know ${name}`);
  }
}

/** COPY copies a file into a folder whose name ends with a slash, and the content of a folder. */
function copy(paths: string[], stage: Stage, from: string, owner: string | undefined): void {
  const to = paths.at(-1) ?? '';
  const target = join(to.startsWith('/') ? stage.root : stage.folder, to);
  for (const path of paths.slice(0, -1)) {
    const source = join(from, path);
    const isFolder = statSync(source).isDirectory();
    cpSync(source, isFolder ? target : join(target, basename(path)), { recursive: true });
  }
  if (owner === undefined) return;
  const [uid, gid] = owner.split(':').map(Number);
  if (process.getuid?.() === 0) chownSync(target, Number(uid), Number(gid));
}

function run(command: string, { folder, env }: Stage): void {
  const { PATH, HOME } = process.env;
  const options = { cwd: folder, env: { PATH, HOME, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
  if (status !== 0) throw new Error(`RUN ${command}: exit code ${status}\n${stdout}\n${stderr}`);
}
