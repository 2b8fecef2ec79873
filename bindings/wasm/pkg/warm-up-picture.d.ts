import type { ImageLike } from './shared/image.ts';
/**
 * An image with work for every stage: a gradient, a disc, pen strokes, noise and a large flat shape. JavaScript engines compile a
 * function when it is first called and optimize it after some time, so tracing this image compiles all of the module.
 */
export declare function warmUpPicture(): ImageLike;
