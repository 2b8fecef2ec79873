// vtracer's defaults, for packages that wrap it and require every value.
export const DEFAULTS = {
  filterSpeckle: 4,
  colorPrecision: 6,
  layerDifference: 16,
  cornerThreshold: 60,
  lengthThreshold: 4,
  spliceThreshold: 45,
  maxIterations: 10,
  pathPrecision: 2,
};

export const radians = (degrees) => (degrees * Math.PI) / 180;
