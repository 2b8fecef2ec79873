import { authenticate } from '../auth/authenticate.ts';
import { overloaded } from '../errors/details.ts';
import { JSON_TYPE, negotiateType, type ResponseType, SVG_TYPE } from '../http/content-negotiation.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { HttpResponse } from '../http/send-response.ts';
import { identify, measure } from '../image/inspect.ts';
import type { Reservation } from '../limits/memory-budget.ts';
import type { StepTimings } from '../observability/step-timings.ts';
import { traceImage } from '../tracing/trace-image.ts';
import { parseOptions } from '../upload/parse-options.ts';
import { checkBodyHeaders, readMultipart } from '../upload/read-multipart.ts';
import type { Service } from './dependencies.ts';

/** Memory for transfers is usually free again after a second. */
const MEMORY_RETRY_MS = 1_000;
/** An upload that is ended in favor of another client's may find a place again at any time. */
const CONNECTION_RETRY_MS = 1_000;

/** Handles `POST /v1/vectorize`. The order of the checks is part of the API. */
export async function vectorize(context: RequestContext, service: Service): Promise<HttpResponse> {
  const { request, signal, timings } = context;
  const { settings } = service;
  const account = await authenticate(request, service.keys, settings);
  Object.assign(context.logFields, { keyId: account.keyId, account: account.id, tier: account.tier });
  const admission = await service.limiter.admit(account);
  context.hold(admission.release);
  context.addHeaders(admission.headers);
  context.onRefund(() => context.addHeaders(admission.refund()));
  const type = negotiateType(request.headers.accept);
  const headers = checkBodyHeaders(request, settings);
  service.queue.rejectIfBusy(account.id);
  const transfer = reserveTransfer(service, account.id, headers.maxBytes);
  context.hold(transfer.release);
  context.sendContinue();
  const enter = (reject: (error: unknown) => void) =>
    service.uploads.enter(account.id, () => reject(overloaded(CONNECTION_RETRY_MS)));
  const upload = await timings.measure('upload', () =>
    readMultipart({ request, headers, settings, signal, enter, parseConfig: parseOptions }),
  );
  transfer.resize(upload.file.length);
  const format = identify(upload.file);
  const size = await measure(upload.file, format, settings);
  Object.assign(context.logFields, { format, ...size });
  const outputFormat = type === SVG_TYPE ? 'svg' : 'json';
  const image = { ...upload, format, size, outputFormat } as const;
  const { svg } = await traceImage(
    image,
    { ...service, limits: settings, account: account.id, signal },
    timings,
  );
  // In place of the upload, and until the client has read it. A finished drawing is never thrown away.
  transfer.resize(svg.length);
  return svgResponse(svg, type, timings);
}

/** Reserves memory for an upload and its response. Throws `overloaded`. */
function reserveTransfer(service: Service, account: string, bytes: number): Reservation {
  const reservation = service.transferMemory.reserveFor(account, bytes);
  if (reservation === undefined) throw overloaded(MEMORY_RETRY_MS);
  return reservation;
}

/** Sent with an SVG: opened as a page, it can neither run scripts nor load resources. */
const SANDBOX = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

/** `svg` is in the encoding of `type` already: SVG text, or a JSON string. */
function svgResponse(svg: Uint8Array, type: ResponseType, timings: StepTimings): HttpResponse {
  const timing = { 'Server-Timing': timings.header() };
  if (type === SVG_TYPE)
    return { status: 200, headers: { 'Content-Type': SVG_TYPE, ...SANDBOX, ...timing }, body: [svg] };
  const head = Buffer.from('{"svg":');
  const tail = Buffer.from(`,"processingTime":${JSON.stringify(timings.processingMs)}}`);
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...timing }, body: [head, svg, tail] };
}
