// The order of the layers. A file imports from its own layer and from earlier ones. docs/architecture.md draws the same map.

export interface Tree {
  root: string;
  language: 'rust' | 'typescript';
  /** Folders, earliest first; a file belongs to the closest folder that is listed. '.' is the root itself. */
  order: readonly string[];
  /** Other trees that its files may import from. */
  others?: readonly string[];
  /** Folders and files that are generated or are no source. */
  ignored?: readonly string[];
}

export const MAX_FILES = 14;
export const MAX_LINES = 400;

export const TREES: Record<string, Tree> = {
  engine: {
    root: 'engine/src',
    language: 'rust',
    order: ['api', 'parallel', 'algorithms', 'color', 'geometry', 'raster', 'formation', 'restore']
      .concat(['classify', 'segment', 'coverage', 'resolve/paints', 'resolve/straight_lines'])
      .concat(['resolve/strokes', 'resolve', 'merge', 'outline', 'shade', 'render'])
      .concat(['fit/sampled', 'fit/polygon', 'fit/spline', 'fit', 'stack', 'svg', 'judge', '.']),
    ignored: ['fit/tests'],
  },
  bindings: {
    root: 'bindings/surface',
    language: 'typescript',
    order: ['shared', 'wasm', 'node'],
  },
  host: {
    root: 'host',
    language: 'typescript',
    order: [
      'styles',
      'config',
      'errors',
      'observability',
      'files',
      'auth',
      'limits',
      'store',
      'image',
      'tracing',
    ]
      .concat(['upload', 'http', 'openapi', 'site', 'service', 'cli', 'cli/keys'])
      .concat(['playground/painting', 'playground', '.']),
  },
  scripts: {
    root: 'scripts',
    language: 'typescript',
    order: ['lib', 'setup', 'processes', 'package', 'wasm', 'native', 'release', 'tasks', 'constants'].concat(
      ['core', 'adapters', 'engines', 'requests', 'starts', 'plot', 'report'].map((name) => `bench/${name}`),
      ['bench', 'scaling'],
    ),
    others: ['bindings/surface', 'host'],
  },
};
