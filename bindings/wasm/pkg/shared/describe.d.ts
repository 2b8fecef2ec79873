/** What came instead of an expected value, for error messages. */
export declare function describe(value: unknown): string;
/** Whether an object is one of a literal, of JSON, or without a prototype; also one of another realm (an iframe, a vm context). */
export declare function isPlainObject(value: object): boolean;
