/** A JSON Pointer (RFC 6901) to the member `name` of the root object. */
export function pointerTo(name) {
    return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
