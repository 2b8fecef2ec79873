const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

/** OpenTelemetry's name for all other methods, so that clients cannot create time series. */
export const OTHER_METHOD = '_OTHER';

/** The method of a request if OpenTelemetry knows it, else `OTHER_METHOD`. */
export function knownMethod(method = ''): string {
  return METHODS.includes(method) ? method : OTHER_METHOD;
}
