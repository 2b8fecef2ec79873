import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BOUNDARY, END, FILE_HEADERS, form, MULTIPART, part, picture, Service } from './service.ts';

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.stop());

const letters = picture('letters.gif');
const file = part(FILE_HEADERS, letters);
const FORM = 'Content-Disposition: form-data;';
const FILE = `${FORM} name="file"; filename="a"`;
/** The image in a part with these headers. */
const withHeaders = (...headers: string[]) => Buffer.concat([part(headers, letters), END]);
/** The image, and a part with a name and optional further headers. */
const withPart = (name: string, content: Uint8Array | string, ...headers: string[]) =>
  Buffer.concat([file, part([`${FORM} name="${name}"`, ...headers], content), END]);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`);
const altered = (change: (text: string) => string) =>
  Buffer.concat([Buffer.from(change(file.toString('latin1')), 'latin1'), END]);

const MALFORMED = '400 malformed_multipart';
const CASES: Record<string, [what: string, expected: string, body: Buffer][]> = {
  'the disposition': [
    ['names in capitals', '200', withHeaders('CONTENT-DISPOSITION: FORM-DATA; NAME="file"; FILENAME="a"')],
    ['no quotes', '200', withHeaders(`${FORM} name=file; filename=a`)],
    ['no spaces', '200', withHeaders('Content-Disposition:form-data;name="file";filename="a"')],
    ['folded', '200', withHeaders('Content-Disposition: form-data;', ' name="file"; filename="a"')],
    ['a quote that does not end', MALFORMED, withHeaders(`${FORM} name="file; filename=a`)],
    ['a quoted type', MALFORMED, withHeaders('Content-Disposition: "form-data"; name="file"; filename="a"')],
    ['empty', MALFORMED, withHeaders('Content-Disposition:')],
    ['no type', MALFORMED, withHeaders('Content-Disposition: name="file"; filename="a"')],
    [
      'a space before the colon',
      MALFORMED,
      withHeaders('Content-Disposition : form-data; name="file"; filename="a"'),
    ],
    ['another name, later', '200', withHeaders(FILE, `${FORM} name="config"`)],
  ],
  'the filename': [
    ['empty', '400 file_not_binary', withHeaders(`${FORM} name="file"; filename=""`)],
    ['a path', '200', withHeaders(`${FORM} name="file"; filename="../../etc/passwd"`)],
    ['quotes within', '200', withHeaders(`${FORM} name="file"; filename="a\\"; name=\\"x"`)],
    ['any script', '200', withHeaders(`${FORM} name="file"; filename="絵🦊.png"`)],
    ['encoded', '200', withHeaders(`${FORM} name="file"; filename*=UTF-8''%e2%82%ac.png`)],
    ['encoded in no known way', MALFORMED, withHeaders(`${FORM} name="file"; filename*=nonsense''%ff.png`)],
    ['encoded wrongly', MALFORMED, withHeaders(`${FORM} name="file"; filename*=UTF-8''%zz%`)],
    ['very long', '200', withHeaders(`${FORM} name="file"; filename="${'a'.repeat(15_000)}"`)],
  ],
  'the name': [
    ['__proto__', '400 unexpected_part', withPart('__proto__', 'x')],
    ['constructor', '400 unexpected_part', withPart('constructor', 'x')],
    ['empty', '400 unexpected_part', withPart('', 'x')],
    ['in capitals', '400 unexpected_part', withHeaders(`${FORM} name="FILE"; filename="a"`)],
    ['with a space', '400 unexpected_part', withHeaders(`${FORM} name=" file"; filename="a"`)],
    ['with a NUL', MALFORMED, withHeaders(`${FORM} name="fi\0le"; filename="a"`)],
    ['of a megabyte', MALFORMED, withPart('a'.repeat(1_000_000), 'x')],
  ],
  'other headers': [
    ['a NUL', MALFORMED, withHeaders(FILE, 'X: a\0b')],
    ['a control character', MALFORMED, withHeaders(FILE, 'X: a\x01b')],
    ['no colon', MALFORMED, withHeaders('hello', FILE)],
    ['no name', MALFORMED, withHeaders(': x', FILE)],
    ['20,000 characters', MALFORMED, withHeaders(FILE, `X: ${'x'.repeat(20_000)}`)],
    ['2,500 of them', MALFORMED, withHeaders(FILE, ...numbered(2_500))],
    ['2,500 before the disposition', MALFORMED, withHeaders(...numbered(2_500), FILE)],
    ['a broken type', '200', withHeaders(FILE, 'Content-Type: /////;;;==')],
    ['no type', '200', withHeaders(FILE)],
    ['an encoding, which forms do not have', '200', withHeaders(FILE, 'Content-Transfer-Encoding: base64')],
  ],
  'the config': [
    ['as JSON', '200', withPart('config', '{}', 'Content-Type: application/json')],
    ['as bytes', '200', withPart('config', '{}', 'Content-Type: application/octet-stream')],
    [
      'in UTF-16, but it is not',
      '400 invalid_config_json',
      withPart('config', '{}', 'Content-Type: text/plain; charset=utf-16le'),
    ],
    [
      'in no known character set',
      '400 invalid_config_json',
      withPart('config', '{}', 'Content-Type: text/plain; charset=nonsense'),
    ],
    ['no UTF-8', '400 invalid_config_json', withPart('config', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
    ['a byte order mark', '400 invalid_config_json', withPart('config', '\ufeff{}')],
    ['a NUL at its end', '400 invalid_config_json', withPart('config', '{}\0')],
  ],
  'the frame': [
    ['text before it', '200', Buffer.concat([Buffer.alloc(100_000, 'x'), Buffer.from('\r\n'), file, END])],
    ['text after it', '200', Buffer.concat([file, END, Buffer.from('after')])],
    ['a part after it', MALFORMED, Buffer.concat([file, END, part([`${FORM} name="config"`], '{}'), END])],
    ['its end twice', MALFORMED, Buffer.concat([file, END, END])],
    ['its end first', MALFORMED, Buffer.concat([END, file, END])],
    ['lines that end in LF', MALFORMED, altered((text) => text.replaceAll('\r\n', '\n'))],
    ['no empty line', MALFORMED, altered((text) => text.replace('\r\n\r\n', '\r\n'))],
    ['spaces after a boundary', MALFORMED, altered((text) => text.replace(BOUNDARY, `${BOUNDARY}  `))],
    ['a boundary that is longer', MALFORMED, altered((text) => text.replace(BOUNDARY, `${BOUNDARY}x`))],
    ['100,000 boundaries', MALFORMED, Buffer.from(`--${BOUNDARY}\r\n`.repeat(100_000))],
    [
      '100,000 parts without headers',
      MALFORMED,
      Buffer.from(`${`--${BOUNDARY}\r\n\r\nx\r\n`.repeat(100_000)}--${BOUNDARY}--\r\n`),
    ],
    ['a line break', MALFORMED, Buffer.from('\r\n')],
    ['dashes', MALFORMED, Buffer.from('--')],
    ['100,000 NULs', MALFORMED, Buffer.alloc(100_000)],
    [
      'the boundary within a line of the file',
      '200',
      Buffer.concat([part(FILE_HEADERS, Buffer.concat([letters, Buffer.from(`--${BOUNDARY}`)])), END]),
    ],
    [
      'another form as the file',
      '415 unsupported_image_format',
      Buffer.concat([
        part([FILE, 'Content-Type: multipart/mixed; boundary=b'], '--b\r\n\r\nx\r\n--b--'),
        END,
      ]),
    ],
  ],
};

for (const [where, cases] of Object.entries(CASES)) {
  describe(`in a hostile body: ${where}`, () => {
    for (const [what, expected, body] of cases) {
      test(`${what}: ${expected}`, async () => {
        const { status, json, text } = await service.post(body, { headers: MULTIPART });
        assert.equal(`${status} ${json.code ?? ''}`.trim(), expected, text.slice(0, 300));
      });
    }
  });
}

test('afterwards, a valid request works and no internal error was logged', async () => {
  assert.equal((await service.post(form(letters))).status, 200);
  assert.ok(!service.log.some((line) => line.includes('"level":"error"')));
});
