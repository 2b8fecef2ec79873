/** A package-lock.json, as far as it is read. */
export interface Lock {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The paths of a package and of all that it depends on: for every platform, or those that `isWanted` accepts. */
export function closureOf(
  { packages }: Lock,
  name: string,
  isWanted: (path: string) => boolean = () => true,
): string[] {
  const found = new Set<string>();
  const visit = (name: string, from: string) => {
    const path = resolve(packages, name, from);
    if (path === undefined || found.has(path) || !isWanted(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, path);
  };
  visit(name, '');
  return [...found].sort();
}

/** A lock file with one package and all that it depends on, for a project with that description. */
export function lockOf(lock: Lock, name: string, description: { name: string; version: string }): object {
  const entries = closureOf(lock, name).map((path) => [path, lock.packages[path]] as const);
  const { name: project, version } = description;
  return {
    name: project,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: { '': description, ...Object.fromEntries(entries) },
  };
}

/** Node.js looks in the importing package's own node_modules first, then in those of the folders around it. */
function resolve(packages: Lock['packages'], name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, path)) return path;
    if (folder === '') return undefined;
  }
}
