import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { parse as parseForwarded } from 'forwarded-parse';
import type { ForwardedHeader, TrustedProxies } from '../config/setting-types.ts';

interface ProxySettings {
  trustedProxies: TrustedProxies;
  forwardedHeader: ForwardedHeader;
}

/** Whether a proxy may be believed. `hop` counts proxies from the service: 0 is the peer of the connection. */
type Trust = (address: string, hop: number) => boolean;

/** How both headers write an address that is not bare: `[2001:db8::1]`, `[2001:db8::1]:80`, `192.0.2.1:80`. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;
const IPV4_MAPPED = /^::ffff:([\d.]+)$/i;

/**
 * Returns a function that finds the address of a request's client: the peer of the connection, unless that is a trusted
 * proxy. Each proxy adds the address of its peer at the end of the header, so only what trusted proxies added is
 * believed: the addresses are followed from the last one to the first that is not a trusted proxy.
 */
export function clientAddressReader(settings: ProxySettings): (request: IncomingMessage) => string {
  const isTrusted = trustOf(settings.trustedProxies);
  return (request) => {
    let address = toAddress(request.socket.remoteAddress) ?? '';
    if (!isTrusted(address, 0)) return address;
    const forwarded = forwardedAddresses(request, settings.forwardedHeader).reverse();
    for (const [index, text] of forwarded.entries()) {
      const next = toAddress(text);
      // `unknown`, an obfuscated name or nonsense: nothing before it can be verified.
      if (next === undefined) return address;
      address = next;
      if (!isTrusted(address, index + 1)) return address;
    }
    return address;
  };
}

function trustOf(proxies: TrustedProxies): Trust {
  if (typeof proxies === 'number') return (_, hop) => hop < proxies;
  // A list is slow to ask, even an empty one.
  if (proxies.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, prefix, family } of proxies) list.addSubnet(address, prefix, family);
  return (address) => address !== '' && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The addresses in the header, the nearest proxy's last. */
function forwardedAddresses({ headers }: IncomingMessage, name: ForwardedHeader): string[] {
  const value = String(headers[name] ?? '');
  if (name === 'x-forwarded-for') return value.split(',').map((item) => item.trim());
  try {
    return parseForwarded(value).map((element) => element.for ?? '');
  } catch {
    return [];
  }
}

/** The IP address of a header's item or of a socket, without port, brackets and zone; undefined if there is none. */
function toAddress(text = ''): string | undefined {
  const [bare = ''] = text.split('%', 1);
  const [, bracketed, beforePort] = WITH_PORT.exec(bare) ?? [];
  const address = bracketed ?? beforePort ?? bare;
  const plain = IPV4_MAPPED.exec(address)?.[1] ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}
