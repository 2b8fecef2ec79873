/** The only error class that this package throws itself. */
export class TracesmithError extends Error {
    name = 'TracesmithError';
    code;
    /** For `invalid_option`: every invalid option, not only the first. Empty for all other codes. */
    errors;
    constructor(code, message, more = {}) {
        super(message, 'cause' in more ? { cause: more.cause } : undefined);
        this.code = code;
        this.errors = more.errors ?? [];
    }
}
/** Parses the engine's `code: message`. Text without a code does not come from the engine: `engine_failure`. */
export function parseEngineError(text, cause) {
    const match = /^([a-z_]+): (.*)$/s.exec(text);
    if (match === null)
        return new TracesmithError('engine_failure', text, { cause });
    const [code, message] = match.slice(1);
    return new TracesmithError(code, message, code === 'invalid_option' ? { errors: [problemIn(message)] } : {});
}
/** The engine's text about an option begins with its name, unless it does not know the option. */
function problemIn(text) {
    const [, name, detail] = /^(\w+) (.*)$/s.exec(text) ?? [];
    return name === undefined || detail === undefined
        ? { pointer: '', detail: text }
        : { pointer: `/${name}`, detail };
}
