/** A JSON Pointer (RFC 6901) to the member `name` of the root object. */
export declare function pointerTo(name: string): string;
