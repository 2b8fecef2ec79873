import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { readSettings } from '../../host/config/settings.ts';
import { clientAddressReader } from '../../host/observability/client-address.ts';

/** The client's address of a request from `peer`, as the settings have it read. */
function clientOf(proxies: string, peer: string | undefined, headers: IncomingMessage['headers']): string {
  const settings = readSettings({
    TRACESMITH_TRUSTED_PROXIES: proxies,
    TRACESMITH_FORWARDED_HEADER: 'forwarded' in headers ? 'forwarded' : '',
  });
  return clientAddressReader(settings)({ socket: { remoteAddress: peer }, headers } as IncomingMessage);
}

describe('the client of a request', () => {
  const cases: [name: string, proxies: string, peer: string | undefined, header: string, client: string][] = [
    ['without trusted proxies is the peer', '', '10.0.0.1', '192.0.2.7', '10.0.0.1'],
    ['is the peer if that is no trusted proxy', '10.0.0.0/8', '192.0.2.1', '192.0.2.7', '192.0.2.1'],
    ['is what a trusted proxy says', '10.0.0.0/8', '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['is not what the client says', '10.0.0.0/8', '10.0.0.1', '127.0.0.1, 192.0.2.7', '192.0.2.7'],
    ['is behind all trusted proxies', '10.0.0.0/8,::1', '::1', '6.6.6.6, 192.0.2.7, 10.9.9.9', '192.0.2.7'],
    ['may be a trusted address', '10.0.0.0/8', '10.0.0.1', '10.0.0.7', '10.0.0.7'],
    ['may be matched by an address alone', '10.0.0.1', '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['is behind a number of proxies', '2', '10.0.0.1', '6.6.6.6, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['is not beyond a number of proxies', '1', '10.0.0.1', '6.6.6.6, 192.0.2.7', '192.0.2.7'],
    ['is the peer behind 0 proxies', '0', '10.0.0.1', '192.0.2.7', '10.0.0.1'],
    ['may have a port', '1', '10.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    ['may be IPv6', '1', '10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['may be IPv6 with a port', '1', '10.0.0.1', '[2001:db8::1]:80', '2001:db8::1'],
    ['may be IPv6 in brackets', 'fe80::/10', 'fe80::1%eth0', '[2001:db8::1]', '2001:db8::1'],
    ['may be IPv4 in IPv6', '10.0.0.0/8', '::ffff:10.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
    ['is the proxy if nothing is forwarded', '1', '10.0.0.1', '', '10.0.0.1'],
    ['is the proxy before an unknown one', '2', '10.0.0.1', '192.0.2.7, unknown', '10.0.0.1'],
    ['is no text', '1', '10.0.0.1', '"},\\n{"level":"error', '10.0.0.1'],
    ['is unknown on a closed connection', '', undefined, '', ''],
  ];
  for (const [name, proxies, peer, header, client] of cases)
    test(name, () => assert.equal(clientOf(proxies, peer, { 'x-forwarded-for': header }), client));

  const forwarded: [header: string, client: string][] = [
    ['for=192.0.2.7;proto=https;by=10.0.0.1', '192.0.2.7'],
    ['for=6.6.6.6, For="[2001:db8::1]:4711"', '2001:db8::1'],
    ['for=192.0.2.7, for=unknown', '10.0.0.1'],
    ['for=192.0.2.7, for=_hidden', '10.0.0.1'],
    ['proto=https', '10.0.0.1'],
    ['for="192.0.2.7', '10.0.0.1'],
    ['', '10.0.0.1'],
  ];
  for (const [header, client] of forwarded)
    test(`by Forwarded: ${header}`, () =>
      assert.equal(
        clientOf('10.0.0.0/8', '10.0.0.1', { forwarded: header, 'x-forwarded-for': '6.6.6.6' }),
        client,
      ));

  test('a list of proxies must consist of addresses and ranges', () => {
    for (const value of ['33', '10.0.0.0/33', '::/129', '10.0.0', 'localhost', '10.0.0.1,,', '10.0.0.1 ::1'])
      assert.throws(() => readSettings({ TRACESMITH_TRUSTED_PROXIES: value }), /TRACESMITH_TRUSTED_PROXIES/);
  });
});
