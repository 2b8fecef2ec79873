import type { Readable } from 'node:stream';
import type { FieldInfo, FileInfo } from 'busboy';
import { Problem } from '../errors/problem.ts';

export interface Upload<Config> {
  file: Buffer;
  /** Absent when the request has no `config` part. */
  config?: Config;
}

interface Limits {
  maxFileBytes: number;
  maxConfigBytes: number;
}

/** The parts of one request as they arrive. Its methods throw problems. */
export class Parts<Config> {
  /** Parts seen, of any kind. */
  count = 0;
  readonly #limits: Limits;
  readonly #readConfig: (text: string) => Config;
  #file: Buffer | undefined;
  #config: { value: Config } | undefined;
  readonly #seen = new Set<string>();

  constructor(limits: Limits, readConfig: (text: string) => Config) {
    this.#limits = limits;
    this.#readConfig = readConfig;
  }

  /** A part that busboy takes for text. */
  field(name: string | undefined, value: string, info: FieldInfo): void {
    this.#see(name);
    if (name === 'file') throw notBinary();
    if (info.valueTruncated) throw this.#configTooLarge();
    this.#config = { value: this.#readConfig(value) };
  }

  /** A part that busboy takes for a file: `config` may come like this too. `fail` takes what goes wrong later. */
  stream(name: string | undefined, stream: Readable, info: FileInfo, fail: (error: unknown) => void): void {
    // A body that ends early errors this stream; without a listener that would end the process.
    stream.on('error', (error) => fail(malformed('The body ends in the middle of a part.', error)));
    stream.on('limit', () => fail(payloadTooLarge(this.#limits.maxFileBytes)));
    this.#see(name);
    if (name === 'file' && info.filename === undefined) throw notBinary();
    const isFile = name === 'file';
    const tooLarge = () => (isFile ? payloadTooLarge(this.#limits.maxFileBytes) : this.#configTooLarge());
    const maxBytes = isFile ? this.#limits.maxFileBytes : this.#limits.maxConfigBytes;
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) fail(tooLarge());
      else chunks.push(chunk);
    });
    stream.on('end', () => {
      try {
        if (bytes <= maxBytes) this.#finish(isFile, Buffer.concat(chunks));
      } catch (error) {
        fail(error);
      }
    });
  }

  /** What the request held, once all of it has been read. */
  upload(): Upload<Config> {
    if (this.#file === undefined) throw new Problem('missing_file', 'The request has no part "file".');
    return this.#config === undefined
      ? { file: this.#file }
      : { file: this.#file, config: this.#config.value };
  }

  #finish(isFile: boolean, bytes: Buffer): void {
    if (isFile) this.#file = bytes;
    else this.#config = { value: this.#readConfig(bytes.toString('utf8')) };
  }

  #see(name: string | undefined): void {
    this.count++;
    if (name !== 'file' && name !== 'config') {
      throw new Problem(
        'unexpected_part',
        'A request has the parts "file" and, if wanted, "config"; no other.',
      );
    }
    if (this.#seen.has(name))
      throw new Problem('unexpected_part', `The part "${name}" comes more than once.`);
    this.#seen.add(name);
  }

  #configTooLarge(): Problem {
    const { maxConfigBytes } = this.#limits;
    return new Problem('config_too_large', `The part "config" may have ${maxConfigBytes} bytes.`, {
      members: { maxBytes: maxConfigBytes },
    });
  }
}

export function malformed(detail: string, cause?: unknown): Problem {
  return new Problem('malformed_multipart', detail, { cause });
}

export function payloadTooLarge(maxFileBytes: number): Problem {
  const members = { maxBytes: maxFileBytes };
  return new Problem('payload_too_large', `The image file may have ${maxFileBytes} bytes.`, { members });
}

function notBinary(): Problem {
  return new Problem(
    'file_not_binary',
    'Send the part "file" as a file: with a filename in its Content-Disposition.',
  );
}
