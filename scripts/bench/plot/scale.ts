// From values to places on an axis.
export interface Scale {
  place(value: number): number;
  ticks: { value: number; label: string }[];
}

/** A logarithmic axis over the values, with ticks as close as they can be read. */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const usable = values.filter((value) => value > 0 && Number.isFinite(value));
  const [least, most] = [Math.min(...usable), Math.max(...usable)].map(Math.log10) as [number, number];
  const pad = Math.max(0.04 * (most - least), 0.06);
  const [low, high] = [least - pad, most + pad];
  const place = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  const steps = high - low < 1.6 ? [1, 2, 5] : high - low < 3 ? [1, 3] : [1];
  const every = Math.max(1, Math.ceil((high - low) / 7));
  const ticks = [];
  for (let power = Math.floor(low); power <= high; power += every) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (Math.log10(value) >= low && Math.log10(value) <= high) ticks.push({ value, label: short(value) });
    }
  }
  return { place, ticks };
}

/** A linear axis from `least` or what the values need, with four to eight round ticks. */
export function linearScale(values: readonly number[], from: number, to: number, least?: number): Scale {
  const usable = values.filter((value) => Number.isFinite(value));
  const low = least ?? Math.min(...usable);
  const high = Math.max(...usable, low + 1e-9);
  const step = roundStep((high - low) / 6);
  // Sums of parts may miss a tick by a rounding error.
  const [first, last] = [Math.floor(low / step) * step, Math.ceil(high / step - 1e-6) * step];
  const place = (value: number) => from + ((value - first) / (last - first)) * (to - from);
  const count = Math.round((last - first) / step);
  const ticks = Array.from({ length: count + 1 }, (_, i) => {
    const value = first + i * step;
    return { value, label: short(Number(value.toPrecision(12))) };
  });
  return { place, ticks };
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 5].find((digit) => digit * power >= step) ?? 10) * power;
}

/** A number as it fits beside a tick. */
export function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e4) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(4)));
}
