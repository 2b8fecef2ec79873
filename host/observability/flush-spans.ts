import { setTimeout as sleep } from 'node:timers/promises';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import { describe, log } from './log.ts';

/** An exporter that does not answer must not keep the process. */
const MAX_FLUSH_MS = 5_000;

/** What OpenTelemetry's SDKs add to the interface of a tracer provider. */
interface Flushable {
  forceFlush?(): Promise<void>;
}

/** Sends the spans that the operator's SDK still holds. Never throws. */
export async function flushSpans(): Promise<void> {
  const provider = trace.getTracerProvider();
  const sdk = (provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider) as Flushable;
  const deadline = new AbortController();
  const timeout = sleep(MAX_FLUSH_MS, undefined, { signal: deadline.signal }).catch(() => {});
  await Promise.race([sdk.forceFlush?.(), timeout]).catch((error: unknown) =>
    log('warn', 'spans were not exported', { error: describe(error) }),
  );
  deadline.abort();
}
