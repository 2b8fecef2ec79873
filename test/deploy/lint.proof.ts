// Checks the files of deploy/ with the usual linters.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../../host/config/settings.ts';
import { linter } from '../../scripts/setup/deploy-linters.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const KUBERNETES = join(DEPLOY, 'kubernetes');
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a program, which must succeed without a complaint; returns its stdout. */
function lint(program: string, ...args: string[]): string {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, `${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}

const isMissing = (program: string) =>
  spawnSync(program, ['--help']).error !== undefined && `${program} is not installed`;

test('hadolint: Dockerfile', () => {
  lint(linter('hadolint'), 'deploy/Dockerfile');
});

test('yamllint: all YAML files', () => {
  const rules = '{extends: default, rules: {line-length: {max: 160}, document-start: disable}}';
  lint(linter('yamllint'), '--strict', '-d', rules, 'deploy');
});

describe('Kubernetes manifests', () => {
  const manifests = readdirSync(KUBERNETES).filter((name) => name !== 'kustomization.yaml');

  for (const name of manifests)
    test(`kubernetes-validate: ${name}`, () => {
      lint(linter('kubernetes-validate'), '--strict', join(KUBERNETES, name));
    });

  test('kustomize lists every manifest', () => {
    const text = readFileSync(join(KUBERNETES, 'kustomization.yaml'), 'utf8');
    const listed = Array.from(text.matchAll(/^ {2}- (\S+\.yaml)$/gm), ([, name]) => name);
    assert.deepEqual(listed.sort(), manifests.sort());
  });

  test('kubernetes-validate: what kubectl applies', { skip: isMissing('kubectl') }, () => {
    const file = join(folder, 'rendered.yaml');
    writeFileSync(file, lint('kubectl', 'kustomize', KUBERNETES));
    lint(linter('kubernetes-validate'), '--strict', file);
  });
});

describe('systemd unit', { skip: isMissing('systemd-analyze') }, () => {
  test('systemd-analyze verify', () => {
    // The program is not installed here.
    const unit = readFileSync(join(DEPLOY, 'tracesmith.service'), 'utf8').replace(
      /(?<=^ExecStart=).*$/m,
      '/bin/true',
    );
    const file = join(folder, 'tracesmith.service');
    writeFileSync(file, unit);
    const { stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    assert.doesNotMatch(stderr, /tracesmith\.service/);
  });

  test('systemd-analyze security: an exposure below 2 of 10', () => {
    lint(
      'systemd-analyze',
      'security',
      '--offline=true',
      '--threshold=20',
      join(DEPLOY, 'tracesmith.service'),
    );
  });
});

test('every setting that deploy/ sets exists', () => {
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  const files = ['Dockerfile', 'compose.yaml', 'cluster/compose.yaml', 'tracesmith.service'].concat(
    'kubernetes/deployment.yaml',
  );
  for (const name of files) {
    const used = readFileSync(join(DEPLOY, name), 'utf8').match(/\bTRACESMITH_\w+/g) ?? [];
    assert.ok(used.length > 0, name);
    for (const variable of used) assert.ok(known.has(variable), `${name}: ${variable}`);
  }
});

test('every grace period is longer than the drain', () => {
  const graces = [
    ['compose.yaml', /stop_grace_period: (\d+)s/],
    ['cluster/compose.yaml', /stop_grace_period: (\d+)s/],
    ['tracesmith.service', /TimeoutStopSec=(\d+)/],
    ['kubernetes/deployment.yaml', /terminationGracePeriodSeconds: (\d+)/],
  ] as const;
  for (const [name, pattern] of graces) {
    const text = readFileSync(join(DEPLOY, name), 'utf8');
    const [, delay = SETTINGS.drainDelayMs.defaultValue] =
      /TRACESMITH_DRAIN_DELAY_MS(?::|\s+value:) "(\d+)"/.exec(text) ?? [];
    const [, seconds] = pattern.exec(text) ?? [];
    assert.ok(Number(seconds) * 1_000 > Number(delay) + SETTINGS.drainTimeoutMs.defaultValue, name);
  }
});

const numberIn = (name: string, pattern: RegExp) =>
  Number(pattern.exec(readFileSync(join(DEPLOY, name), 'utf8'))?.[1] ?? assert.fail(`${name}: ${pattern}`));

test('the store is told how many processes share it', () => {
  assert.equal(
    numberIn('kubernetes/deployment.yaml', /TRACESMITH_STORE_PROCESSES\s+value: "(\d+)"/),
    numberIn('kubernetes/autoscaler.yaml', /maxReplicas: (\d+)/),
  );
  assert.equal(
    numberIn('cluster/compose.yaml', /TRACESMITH_STORE_PROCESSES: "(\d+)"/),
    numberIn('cluster/compose.yaml', /scale: (\d+)/),
  );
});

test('HAProxy notices a shutdown, and closes idle connections, before the service acts', () => {
  const checkS = numberIn('cluster/haproxy.cfg', /\binter (\d+)s .*\bfall 1\b/);
  assert.ok(numberIn('cluster/compose.yaml', /TRACESMITH_DRAIN_DELAY_MS: "(\d+)"/) >= 2_000 * checkS);
  // Idle connections are looked at once in this time, and those that were idle for all of it are closed at the next look.
  const purgeS = numberIn('cluster/haproxy.cfg', /pool-purge-delay (\d+)s/);
  assert.ok(2_000 * purgeS < SETTINGS.keepAliveTimeoutMs.defaultValue);
});
