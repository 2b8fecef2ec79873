const MAX_QUOTED_LENGTH = 40;
/** What came instead of an expected value, for error messages. */
export function describe(value) {
    if (typeof value === 'string') {
        const text = value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH)}…` : value;
        return `the text ${JSON.stringify(text)}`;
    }
    if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null)
        return String(value);
    if (typeof value !== 'object')
        return `a ${typeof value}`;
    if (Array.isArray(value))
        return 'an array';
    return isPlainObject(value) ? 'an object' : describePrototype(value);
}
/** Whether an object is one of a literal, of JSON, or without a prototype; also one of another realm (an iframe, a vm context). */
export function isPlainObject(value) {
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || isObjectPrototype(prototype);
}
/** Each realm has an `Object.prototype` of its own, known by its methods. */
function isObjectPrototype(prototype) {
    return Object.getPrototypeOf(prototype) === null && 'isPrototypeOf' in prototype;
}
function describePrototype(value) {
    const name = Object.getPrototypeOf(value).constructor?.name ?? '';
    return name === '' || name === 'Object'
        ? 'an object that inherits from another one'
        : `an instance of ${name}`;
}
