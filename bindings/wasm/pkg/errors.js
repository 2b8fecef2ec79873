/** Every error this package throws on purpose. */
export class TracesmithError extends Error {
    name = 'TracesmithError';
    code;
    /** For `invalid_option`: every problem, not only the first. Empty otherwise. */
    errors;
    constructor(code, message, more = {}) {
        super(message, 'cause' in more ? { cause: more.cause } : undefined);
        this.code = code;
        this.errors = more.errors ?? [];
    }
}
/** Turns the engine's `code: message` into an error; anything else is not the engine's and becomes `engine_failure`. */
export function fromEngine(text, cause) {
    const match = /^([a-z_]+): (.*)$/s.exec(text);
    if (match === null)
        return new TracesmithError('engine_failure', text, { cause });
    return new TracesmithError(match[1], match[2]);
}
