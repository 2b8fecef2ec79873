import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../../host/auth/api-key.ts';
import { PICTURES, part, picture, type Service, wireBody, wireHead } from '../../http/service.ts';
import { noise } from '../../http/support/noise.ts';
import { get, largeAnswer, manyParts, openIdle, readSlowly, unreadFlood, upload } from './connections.ts';
import { ENGINE_FAULTS, faultyImage } from './faulty-service.ts';
import type { Expected, Ledger } from './ledger.ts';
import { colorNoisePng, OPTION_SETS, PATTERNS, patternPng } from './patterns.ts';
import { PROPERTIES } from './properties.ts';
import { SMUGGLED, smugglingShapes } from './shapes.ts';
import type { Images } from './torture-png.ts';

/** What an attack works with. */
export interface Battle {
  service: Service;
  ledger: Ledger;
  images: Images;
  /** The key of an account that no attacker has. */
  goodKey: string;
  /** The valid content of the key file. */
  keys: Buffer;
  random: Random;
}

/** A linear congruential generator: a run can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

const pictures = PICTURES.map(({ name }) => picture(name));
const letters = picture('letters.gif');
const DISPOSITION = 'Content-Disposition: form-data;';

/** A body with an image and a config. */
function withConfig(key: string, file: Uint8Array, config: object): Buffer {
  const body = Buffer.concat([
    part([`${DISPOSITION} name="config"`], JSON.stringify(config)),
    wireBody(file),
  ]);
  return Buffer.concat([Buffer.from(wireHead(key, body.length)), body]);
}

const keyOf = ({ service, random }: Battle) => random.pick([service.keys.enterprise, service.keys.custom]);

/** Each takes a few seconds at most. */
type Attack = (battle: Battle, name: string) => Promise<unknown>;

const send =
  (bytesOf: (battle: Battle) => Buffer, expected?: Expected): Attack =>
  (battle, name) =>
    battle.ledger.sender(name, expected)(battle.service.port, bytesOf(battle));

async function holdIdle({ service, random, ledger }: Battle, name: string): Promise<void> {
  const request = random.pick(['', get('/livez')]);
  const connections = await openIdle(service.port, 150, request);
  if (request !== '') for (const { status } of connections) ledger.add(name, status);
  await sleep(2_000);
  for (const { socket } of connections) socket.destroy();
}

async function readReluctantly(battle: Battle, name: string): Promise<void> {
  const request = largeAnswer(keyOf(battle), noise(300, 300));
  const socket = await readSlowly(battle.service.port, request, battle.random.pick([0, 1_000, 50_000]));
  battle.ledger.add(name, undefined);
  await sleep(battle.random.below(6_000));
  socket.destroy();
}

async function damageKeys({ service, random, keys, ledger }: Battle, name: string): Promise<void> {
  const contents = [
    keys.subarray(0, random.below(keys.length)),
    Buffer.alloc(keys.length),
    Buffer.from('{"keys":[{}]}'),
  ];
  writeFileSync(service.keysFile, random.pick(contents));
  await sleep(1_500);
  for (const key of [service.keys.enterprise, generateKey()])
    await ledger.sender(name)(service.port, upload(key, letters));
  rmSync(service.keysFile);
  await sleep(1_500);
  writeFileSync(service.keysFile, keys);
}

const { 'an endless loop': ENDLESS, ...QUICK_FAULTS } = ENGINE_FAULTS;

const engineFault =
  (faults: { height: number }[]): Attack =>
  (battle, name) => {
    const { height } = battle.random.pick(faults);
    const send = battle.ledger.sender(name, { statuses: [500, 504] });
    return send(battle.service.port, upload(keyOf(battle), faultyImage(height)));
  };

/** Every attack by a client, by name. */
export const ATTACKS: Record<string, Attack> = {
  'valid images': send((battle) => upload(keyOf(battle), battle.random.pick(pictures))),
  'torture images': send((battle) => upload(keyOf(battle), battle.random.pick(Object.values(battle.images)))),
  'dense patterns': send(
    (battle) => {
      const { random } = battle;
      const side = 50 + random.below(900);
      const file =
        random.below(5) === 0
          ? colorNoisePng(side, side)
          : patternPng(random.pick(Object.values(PATTERNS)), side, side);
      return withConfig(keyOf(battle), file, random.pick(Object.values(OPTION_SETS)));
      // While endless loops and other patterns take the processor, an image can miss its deadline.
    },
    { statuses: [504] },
  ),
  'smuggling shapes': async ({ service, ledger, random }, name) => {
    const shape = random.pick(Object.values(smugglingShapes(service.keys.enterprise)));
    await ledger.sender(name)(service.port, Buffer.concat([shape.bytes, Buffer.from(SMUGGLED)]));
  },
  'pipelined requests, unread': ({ service, ledger, random }, name) => {
    const options = { requests: 1_540, isUnread: true, leaveAfterMs: random.below(500) };
    return ledger.sender(name, { mayClose: true })(service.port, unreadFlood, options);
  },
  'pipelined uploads': (battle, name) => {
    const one = upload(keyOf(battle), battle.random.pick(pictures));
    const options = { requests: 8, leaveAfterMs: 100 + battle.random.below(3_000) };
    const send = battle.ledger.sender(name, { mayClose: true });
    return send(battle.service.port, Buffer.concat(Array<Buffer>(8).fill(one)), options);
  },
  'clients that leave': (battle, name) => {
    const request = upload(keyOf(battle), noise(400, 400, 2));
    const bytes = request.subarray(0, battle.random.pick([1, 60, 400, request.length / 2, request.length]));
    const send = battle.ledger.sender(name, { mayClose: true });
    return send(battle.service.port, bytes, { leaveAfterMs: battle.random.below(800) });
  },
  'slow writers': (battle, name) => {
    const request = upload(keyOf(battle), letters);
    const write = { bytes: battle.random.pick([1, 10, 100]), pauseMs: 100 };
    // At the limit of connections, one that has not sent a whole request for a second makes room for another.
    return battle.ledger.sender(name, { mayClose: true })(battle.service.port, request, { write });
  },
  'slow readers': readReluctantly,
  'idle connections': holdIdle,
  'very many parts': send((battle) =>
    manyParts(keyOf(battle), 50_000, [
      `${DISPOSITION} name="${battle.random.pick(['config', 'file', 'x'])}"`,
    ]),
  ),
  'engine faults': engineFault(Object.values(QUICK_FAULTS)),
  ...Object.fromEntries(
    Object.entries(PROPERTIES).map(([what, check]): [string, Attack] => [
      what,
      async (battle, name) => {
        const { service, ledger, random } = battle;
        const target = { port: service.port, key: keyOf(battle), send: ledger.sender(name) };
        const trials = { runs: 20, seed: random.below(2 ** 31) };
        await check(target, trials).catch((error: Error) =>
          ledger.fault(`${name}: ${error.message.slice(0, 500)}`),
        );
      },
    ]),
  ),
};

/** Faults that no client can cause; only one of them is there at a time. */
export const RARE_FAULTS: Record<string, Attack> = {
  'endless loops': engineFault([ENDLESS]),
  'damaged key files': damageKeys,
  'jumps of the clock': async ({ service, ledger }, name) => {
    for (let i = 0; i < 3; i++) {
      service.process.kill('SIGUSR2');
      await sleep(500);
      await ledger.sender(name)(service.port, upload(service.keys.enterprise, letters));
    }
  },
};
