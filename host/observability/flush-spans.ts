import { setTimeout as sleep } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { describe, log } from './log.ts';

/** An exporter that does not answer must not keep the process. */
const MAX_FLUSH_MS = 5_000;

/** What a tracer provider can have beyond OpenTelemetry's interface. It may come from another copy of the API. */
interface Provider {
  /** The API's own provider stands for the SDK's. */
  getDelegate?(): object;
  forceFlush?(): Promise<void>;
}

/** Sends the spans that the operator's SDK still holds. Never throws. */
export async function flushSpans(): Promise<void> {
  const provider = trace.getTracerProvider() as Provider;
  const sdk: Provider = provider.getDelegate?.() ?? provider;
  const deadline = new AbortController();
  const timeout = sleep(MAX_FLUSH_MS, undefined, { signal: deadline.signal }).catch(() => {});
  await Promise.race([sdk.forceFlush?.(), timeout]).catch((error: unknown) =>
    log('warn', 'spans were not exported', { error: describe(error) }),
  );
  deadline.abort();
}
