import type { Readable } from 'node:stream';
import type { FieldInfo, FileInfo } from 'busboy';
import { configTooLarge, duplicatePart, fileTooLarge, unknownPart } from '../errors/details.ts';
import { problem } from '../errors/problem.ts';
import { ByteCollector } from './byte-collector.ts';

/** The content of a request body. */
export interface Upload<Config> {
  file: Buffer;
  /** Absent if the request has no `config` part. */
  config?: Config;
}

interface Limits {
  maxFileBytes: number;
  maxConfigBytes: number;
}

/** Collects the parts of one request body as busboy parses them. Its methods throw problems. */
export class MultipartParts<Config> {
  /** Number of parts so far. */
  count = 0;
  readonly #limits: Limits;
  readonly #parseConfig: (text: string) => Config;
  #file: Buffer | undefined;
  #config: { value: Config } | undefined;
  readonly #names = new Set<string>();

  constructor(limits: Limits, parseConfig: (text: string) => Config) {
    this.#limits = limits;
    this.#parseConfig = parseConfig;
  }

  /** Adds a part that busboy reports as a field. */
  addField(name: string | undefined, value: string, info: FieldInfo): void {
    this.#addName(name);
    if (name === 'file') throw problem('file_not_binary');
    if (info.valueTruncated) throw configTooLarge(this.#limits.maxConfigBytes);
    this.#config = { value: this.#parseConfig(value) };
  }

  /** Adds a part that busboy reports as a file; `config` may be sent like this too. `fail` receives later errors. */
  addFile(name: string | undefined, stream: Readable, info: FileInfo, fail: (error: unknown) => void): void {
    const { maxFileBytes, maxConfigBytes } = this.#limits;
    // A truncated body emits an error on this stream; without a listener, the process would end.
    stream.on('error', (cause) => fail(problem('truncated_part', { cause })));
    stream.on('limit', () => fail(fileTooLarge(maxFileBytes)));
    this.#addName(name);
    const isFile = name === 'file';
    if (isFile && info.filename === undefined) throw problem('file_not_binary');
    const maxBytes = isFile ? maxFileBytes : maxConfigBytes;
    const content = new ByteCollector();
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) fail(isFile ? fileTooLarge(maxBytes) : configTooLarge(maxBytes));
      else content.add(chunk);
    });
    stream.on('end', () => {
      try {
        if (bytes <= maxBytes) this.#finish(isFile, content.bytes());
      } catch (error) {
        fail(error);
      }
    });
  }

  /** The upload, once the whole body has been parsed. Throws `missing_file`. */
  result(): Upload<Config> {
    if (this.#file === undefined) throw problem('missing_file');
    return this.#config === undefined
      ? { file: this.#file }
      : { file: this.#file, config: this.#config.value };
  }

  #finish(isFile: boolean, bytes: Buffer): void {
    if (isFile) this.#file = bytes;
    else this.#config = { value: this.#parseConfig(bytes.toString('utf8')) };
  }

  #addName(name: string | undefined): void {
    this.count++;
    if (name !== 'file' && name !== 'config') throw unknownPart(name);
    if (this.#names.has(name)) throw duplicatePart(name);
    this.#names.add(name);
  }
}
