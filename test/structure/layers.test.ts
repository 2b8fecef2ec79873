import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MAX_FILES, MAX_LINES, TREES, type Tree } from './layers.ts';
import { problemsOf } from './problems.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('imports go to earlier layers, in no circle; folders and files stay small', () => {
  for (const [name, tree] of Object.entries(TREES)) {
    test(name, () => assert.deepEqual(problemsOf(join(ROOT, tree.root), tree), []));
  }
});

/** Checks a made-up tree with the layers a, b, b/inner and the root. */
function check(language: Tree['language'], files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const order = ['a', 'b/inner', 'b', '.'];
    return problemsOf(folder, { root: 'tree', language, order, others: ['shared'], ignored: ['made'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('TypeScript', () => {
  const typescript = (files: Record<string, string>) => check('typescript', files);

  test('imports of earlier layers and of the same one are allowed', () => {
    const main = "import { b } from './b/b.ts';\nimport type { A } from './a/a.ts';\nimport 'node:fs';";
    assert.deepEqual(
      typescript({ 'main.ts': main, 'b/b.ts': "export * from '../a/a.ts';", 'a/a.ts': '' }),
      [],
    );
  });

  for (const [kind, source] of Object.entries({
    'an import': "import { b } from '../b/b.mjs';",
    'an import over several lines': "import {\n  b,\n} from '../b/b.mjs';",
    'a type': "import type { B } from '../b/b.mjs';",
    'a re-export': "export { b } from '../b/b.mjs';",
    'an effect': "import '../b/b.mjs';",
    'an import at run time': "const b = await import('../b/b.mjs');",
    'a worker': "new Worker(new URL('../b/b.mjs', import.meta.url));",
    'a type in JSDoc': "/** @import { B } from '../b/b.mjs' */",
  })) {
    test(`${kind} of a later layer is found`, () => {
      const [problem, ...more] = typescript({ 'a/a.ts': source, 'b/b.mjs': '' });
      assert.equal(problem, 'a/a.ts imports ../b/b.mjs from b/b.mjs, a later layer');
      assert.deepEqual(more, []);
    });
  }

  test('an inner folder has a layer of its own', () => {
    const files = {
      'b/b.ts': '',
      'b/inner/i.ts': "import '../b.ts';",
      'b/inner/deep/d.ts': "import '../../b.ts';",
    };
    assert.equal(typescript(files).length, 2);
  });

  test('circular imports are found, also within a layer', () => {
    const files = {
      'a/x.ts': "import './y.ts';",
      'a/y.ts': "import './z.ts';",
      'a/z.ts': "import './x.ts';",
    };
    assert.deepEqual(typescript(files), ['circular imports: a/x.ts, a/y.ts, a/z.ts']);
  });

  test('a stylesheet may not import a later one', () => {
    assert.equal(typescript({ 'a/a.css': "@import '../b/b.css';", 'b/b.css': '' }).length, 1);
  });

  test('imports of other trees are allowed only where they are listed', () => {
    const source =
      "import '../../shared/s.ts';\nimport '../../test/t.ts';\nnew URL('../../deploy/c.cfg', here);";
    assert.deepEqual(typescript({ 'a/a.ts': source }), ['a/a.ts imports test/t.ts, of another tree']);
  });

  test('tests, declarations and ignored folders are left out', () => {
    const later = "import '../b/b.ts';";
    const files = { 'a/a.test.ts': later, 'a/a.d.ts': later, 'made/m.ts': later, 'b/b.ts': '' };
    assert.deepEqual(typescript(files), []);
  });

  test('a file outside all layers is found', () => {
    assert.deepEqual(typescript({ 'c/c.ts': '' }), ['c/c.ts is in no layer']);
  });
});

describe('Rust', () => {
  const rust = (files: Record<string, string>) => check('rust', { 'lib.rs': 'mod a; mod b;', ...files });

  test('imports of earlier layers are allowed, and of other crates', () => {
    const b = 'use crate::a::A;\nuse std::fmt;\nuse wide::f32x4;\nfn f() -> crate::a::A { fmt::new() }';
    assert.deepEqual(rust({ 'a/mod.rs': 'pub struct A;', 'b/mod.rs': b }), []);
  });

  for (const [kind, source] of Object.entries({
    'a use': 'use crate::b::B;',
    'a use through super': 'use super::b::B;',
    'a use in braces': 'use crate::{b::{B, Other as C}};',
    'a path': 'fn f() { crate::b::make(); }',
  })) {
    test(`${kind} of a later layer is found`, () => {
      const problems = rust({ 'a/mod.rs': source, 'b/mod.rs': 'pub struct B;' });
      assert.ok(
        problems.length === 1 && problems[0]?.endsWith('from b/mod.rs, a later layer'),
        problems.join(),
      );
    });
  }

  test('a re-export is followed to the file that defines the item', () => {
    const files = {
      'a/mod.rs': 'mod x; pub use x::X;',
      'a/x.rs': 'use crate::b::B;',
      'b/mod.rs': 'use crate::a::X;',
    };
    assert.deepEqual(rust(files).sort(), [
      'a/x.rs imports crate::b::B from b/mod.rs, a later layer',
      'circular imports: a/x.rs, b/mod.rs',
    ]);
  });

  test('comments, strings and test code are left out', () => {
    const a =
      '// use crate::b::B;\nconst T: &str = "crate::b::B";\n#[cfg(test)]\nmod tests { use crate::b::B; fn f() {} }';
    assert.deepEqual(rust({ 'a/mod.rs': a, 'b/mod.rs': '' }), []);
  });

  test('code after test code is read', () => {
    const a = '#[cfg(test)]\nuse crate::b::B;\nuse crate::b::C;';
    assert.deepEqual(rust({ 'a/mod.rs': a, 'b/mod.rs': '' }), [
      'a/mod.rs imports crate::b::C from b/mod.rs, a later layer',
    ]);
  });
});

test('folders and files that are too large are found', () => {
  const many = Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, i) => [`a/${i}.ts`, '']));
  const long = {
    'b/long.ts': '\n'.repeat(MAX_LINES).concat('let end;\n'),
    'b/full.ts': 'let x;\n'.repeat(MAX_LINES),
  };
  assert.deepEqual(check('typescript', { ...many, ...long }), [
    `a has ${MAX_FILES + 1} files; ${MAX_FILES} are allowed`,
    `b/long.ts has ${MAX_LINES + 1} lines; ${MAX_LINES} are allowed`,
  ]);
});
