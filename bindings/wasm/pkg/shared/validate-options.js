import { describe, isPlainObject } from './describe.js';
import { TracesmithError } from './errors.js';
import { pointerTo } from './json-pointer.js';
import { optionTable } from './options.js';
/** Returns one problem for each invalid option; an empty array if `options` can be passed to `trace`. */
export function validateOptions(options) {
    return readOptions(options).problems;
}
/**
 * Serializes options for the engine: one `name=value` per line, a number as the hexadecimal bits of its double.
 * Throws `invalid_option` with every problem.
 */
export function serializeOptions(options) {
    const { lines, problems } = readOptions(options);
    const [first] = problems;
    if (first === undefined)
        return lines.join('\n');
    const message = first.pointer === '' ? `options ${first.detail}` : `option ${first.pointer.slice(1)} ${first.detail}`;
    throw new TracesmithError('invalid_option', message, { errors: problems });
}
// Each property is read once, for validation and serialization together: a getter could return two different values.
function readOptions(options) {
    const lines = [];
    const problems = [];
    if (options === undefined)
        return { lines, problems };
    if (typeof options !== 'object' || options === null || !isPlainObject(options)) {
        problems.push({ pointer: '', detail: `must be a plain object, not ${describe(options)}` });
        return { lines, problems };
    }
    for (const [name, value] of Object.entries(options)) {
        if (value === undefined)
            continue;
        const detail = problemOf(name, value);
        if (detail === undefined)
            lines.push(`${name}=${typeof value === 'number' ? doubleBits(value) : value}`);
        else
            problems.push({ pointer: pointerTo(name), detail });
    }
    return { lines, problems };
}
// A decimal parser would add 14 kB to the WebAssembly module.
function doubleBits(value) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return view.getBigUint64(0).toString(16);
}
function problemOf(name, value) {
    const spec = optionTable.find((candidate) => candidate.name === name);
    if (spec === undefined) {
        return `is not an option (expected one of ${optionTable.map((candidate) => candidate.name).join(', ')})`;
    }
    return isValid(spec, value) ? undefined : `must be ${expectation(spec)}, not ${describe(value)}`;
}
function isValid(spec, value) {
    if (spec.type === 'choice')
        return typeof value === 'string' && spec.choices.includes(value);
    if (spec.type === 'flag')
        return typeof value === 'boolean';
    return typeof value === 'number' && value >= spec.min && value <= spec.max;
}
function expectation(spec) {
    if (spec.type === 'number')
        return `a number from ${spec.min} to ${spec.max}`;
    if (spec.type === 'flag')
        return 'true or false';
    return `one of ${spec.choices.map((choice) => `"${choice}"`).join(', ')}`;
}
