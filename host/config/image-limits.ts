/** The default limits of the service, which the playground has, too. Without imports, as it also runs in the browser. */
export const DEFAULT_IMAGE_LIMITS = { maxPixels: 40_000_000, maxSidePx: 16_384 };
