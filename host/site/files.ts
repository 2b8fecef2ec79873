/** The content of one file and its media type. */
export interface SiteFile {
  type: string;
  bytes: Uint8Array;
  gzipped: Uint8Array;
}

/** The media types of all files of the playground, by path relative to the URL of the page. */
export const SITE_TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'playground/page.css': 'text/css; charset=utf-8',
  'playground/page.js': 'text/javascript; charset=utf-8',
  'playground/trace-worker.js': 'text/javascript; charset=utf-8',
  'playground/paint-worker.js': 'text/javascript; charset=utf-8',
  'playground/engine_gradients_bg.wasm': 'application/wasm',
  'playground/icon.svg': 'image/svg+xml',
  'playground/sample.png': 'image/png',
} as const;
export type SitePath = keyof typeof SITE_TYPES;

export const SITE_PATHS = Object.keys(SITE_TYPES) as SitePath[];

/** The files of the playground, with their content. */
export type Site = ReadonlyMap<SitePath, SiteFile>;

/** HTML for the header of the page that the service serves. */
export const SERVICE_LINKS = '<p><a href="/docs">API reference</a></p>';
