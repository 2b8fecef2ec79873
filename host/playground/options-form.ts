import { type OptionSpec, type Options, optionTable } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { createElement } from './dom.ts';

/** Selected if the options are not those of a preset. */
const CUSTOM = 'custom';

/** The control of one option. */
interface Control {
  spec: OptionSpec;
  row: HTMLElement;
  value(): string | number | boolean;
  set(value: string | number | boolean): void;
}

/** The form with the presets and the options, generated from the engine's option table. */
export class OptionsForm {
  readonly #controls: Control[];
  readonly #preset: HTMLSelectElement;
  readonly #description = createElement('p', { id: 'preset-description', className: 'description' });

  constructor(form: HTMLFormElement, onChange: () => void) {
    this.#preset = presetSelect();
    this.#controls = optionTable.map((spec) => control(spec));
    const label = createElement('label', { htmlFor: 'preset' }, 'Preset');
    const preset = createElement('div', { className: 'option' }, label, this.#preset, this.#description);
    form.append(preset, ...this.#controls.map((control) => control.row));
    this.#applyPreset();
    this.#preset.addEventListener('input', (event) => {
      event.stopPropagation();
      this.#applyPreset();
      onChange();
    });
    form.addEventListener('input', () => {
      this.#selectPreset();
      onChange();
    });
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  /** The options that differ from their defaults. */
  get options(): Options {
    const changed = this.#controls.filter(({ spec, value }) => value() !== spec.default);
    return Object.fromEntries(changed.map(({ spec, value }) => [spec.name, value()]));
  }

  #applyPreset(): void {
    const preset = PRESETS.find(({ name }) => name === this.#preset.value);
    if (preset !== undefined)
      for (const { spec, set } of this.#controls)
        set(preset.options[spec.name as keyof Options] ?? spec.default);
    this.#description.textContent = preset?.description ?? 'Custom options.';
  }

  /** Selects the preset that has exactly the current options. */
  #selectPreset(): void {
    const now = sorted(this.options);
    const preset = PRESETS.find(({ options }) => sorted(options) === now);
    this.#preset.value = preset?.name ?? CUSTOM;
    this.#description.textContent = preset?.description ?? 'Custom options.';
  }
}

const sorted = (options: Options) => JSON.stringify(Object.entries(options).sort());

function presetSelect(): HTMLSelectElement {
  const select = createElement('select', { id: 'preset' });
  select.setAttribute('aria-describedby', 'preset-description');
  for (const { name } of PRESETS) select.append(createElement('option', { value: name }, labelText(name)));
  select.append(createElement('option', { value: CUSTOM }, 'Custom'));
  return select;
}

function control(spec: OptionSpec): Control {
  if (spec.type === 'flag') return checkbox(spec);
  return spec.type === 'choice' ? choice(spec) : slider(spec);
}

function checkbox(spec: Extract<OptionSpec, { type: 'flag' }>): Control {
  const input = createElement('input', { id: spec.name, name: spec.name, type: 'checkbox' });
  return {
    spec,
    row: optionRow(spec, input),
    value: () => input.checked,
    set: (value) => {
      input.checked = value === true;
    },
  };
}

function choice(spec: Extract<OptionSpec, { type: 'choice' }>): Control {
  const select = createElement('select', { id: spec.name, name: spec.name });
  for (const name of spec.choices) select.append(createElement('option', { value: name }, labelText(name)));
  return {
    spec,
    row: optionRow(spec, select),
    value: () => select.value,
    set: (value) => {
      select.value = String(value);
    },
  };
}

function slider(spec: Extract<OptionSpec, { type: 'number' }>): Control {
  const { name, min, max, unit } = spec;
  const range = { min: String(min), max: String(max), step: '1' };
  const input = createElement('input', { id: name, name, type: 'range', ...range });
  const number = createElement('input', { type: 'number', ...range });
  number.setAttribute('aria-label', `${labelText(name)}, ${min} to ${max} ${unit}`);
  input.addEventListener('input', () => {
    number.value = input.value;
  });
  number.addEventListener('input', (event) => {
    // A number that is being typed may be incomplete.
    if (!number.validity.valid || number.value === '') event.stopPropagation();
    else input.value = number.value;
  });
  number.addEventListener('blur', () => {
    number.value = input.value;
  });
  return {
    spec,
    row: optionRow(spec, input, number, createElement('span', { className: 'unit' }, unit)),
    value: () => Number(input.value),
    set: (value) => {
      input.value = number.value = String(value);
    },
  };
}

function optionRow(spec: OptionSpec, control: HTMLElement, ...more: HTMLElement[]): HTMLElement {
  const id = `${spec.name}-description`;
  control.setAttribute('aria-describedby', id);
  const label = createElement('label', { htmlFor: spec.name }, labelText(spec.name));
  const description = createElement('p', { id, className: 'description' }, spec.meaning);
  return createElement('div', { className: 'option' }, label, ...more, control, description);
}

/** The label of a name: `cornerThreshold` becomes "Corner threshold", `line-art` "Line art". */
function labelText(name: string): string {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
