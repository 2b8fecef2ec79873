import { RemoteFailure } from '../failure.ts';
import { Host } from './host.ts';
import type { RequestFailed } from './send-image.ts';

interface Waiter {
  deadlineMs: number;
  resolve(host: Host): void;
  reject(error: RemoteFailure): void;
}

/** The hosts of a run. Each request goes to the one with the fewest in flight, and waits while none has room. */
export class Hosts {
  readonly #hosts: Host[];
  readonly #note: (text: string) => void;
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `note` gets a line for people whenever a host is left out. */
  constructor(urls: string[], maxInFlight: number, note: (text: string) => void) {
    this.#hosts = urls.map((url) => new Host(url, maxInFlight));
    this.#note = note;
  }

  /** Begins a request. Throws `RemoteFailure` if no host will have room before the deadline. */
  begin(deadlineMs: number): Promise<Host> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ deadlineMs, resolve, reject });
      this.#dispatch();
    });
  }

  succeeded(host: Host): void {
    host.succeeded(performance.now());
    this.#dispatch();
  }

  failed(host: Host, request: RequestFailed): void {
    const nowMs = performance.now();
    const wasPaused = host.pausedUntilMs > nowMs;
    host.failed(request, nowMs);
    const pauseS = (host.pausedUntilMs - nowMs) / 1_000;
    if (!wasPaused && pauseS > 0) {
      const duration = Number.isFinite(pauseS) ? ` for ${pauseS.toFixed(1)} s` : '';
      this.#note(`${request.failure.message} No requests to this host${duration}.`);
    }
    this.#dispatch();
  }

  /** Serves those who wait, in their order. */
  #dispatch(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    while (this.#waiters.length > 0) {
      const host = this.#freest(nowMs);
      if (host === undefined) break;
      host.begin();
      this.#waiters.shift()?.resolve(host);
    }
    this.#rejectHopeless(nowMs);
    const next = Math.min(...this.#hosts.map((host) => host.pausedUntilMs).filter((ms) => ms > nowMs));
    if (this.#waiters.length > 0 && Number.isFinite(next))
      this.#timer = setTimeout(() => this.#dispatch(), next - nowMs + 1);
  }

  #freest(nowMs: number): Host | undefined {
    const free = this.#hosts.filter((host) => host.hasRoom(nowMs));
    return free.sort((one, other) => one.inFlight - other.inFlight)[0];
  }

  #rejectHopeless(nowMs: number): void {
    const areLost = this.#hosts.every((host) => host.isLost(nowMs));
    const soonestMs = Math.min(...this.#hosts.map((host) => host.pausedUntilMs));
    const isHopeless = ({ deadlineMs }: Waiter) => areLost || Math.max(soonestMs, nowMs) > deadlineMs;
    const hopeless = this.#waiters.filter(isHopeless);
    if (hopeless.length === 0) return;
    const [failure] = this.#hosts.flatMap(({ lastFailure }) => lastFailure ?? []);
    for (const waiter of hopeless) {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      waiter.reject(
        new RemoteFailure(failure ?? { code: 'remote_unreachable', message: 'No host has room.' }),
      );
    }
  }
}
