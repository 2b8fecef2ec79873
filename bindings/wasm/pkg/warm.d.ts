import type { ImageLike } from './image.ts';
/**
 * A picture with something for every stage: a ramp, a disc, strokes of a pen, grain, a large flat shape. Run times compile a function
 * when it is first called, and well when it has run for a while, so tracing this has all of them compiled.
 */
export declare function warmingPicture(): ImageLike;
