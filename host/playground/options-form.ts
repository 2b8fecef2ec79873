import { type OptionSpec, type Options, optionTable } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { element } from './dom.ts';

/** No preset has exactly these options. */
const OWN = 'own';

/** A control for each option, and its value as the engine takes it. */
interface Control {
  spec: OptionSpec;
  row: HTMLElement;
  value(): string | number;
  set(value: string | number): void;
}

/** The options, made from the engine's table, so that a new one appears by itself. */
export class Panel {
  readonly #controls: Control[];
  readonly #preset: HTMLSelectElement;
  readonly #meaning = element('p', { id: 'preset-meaning', className: 'meaning' });

  constructor(form: HTMLFormElement, onChange: () => void) {
    this.#preset = presetSelect();
    this.#controls = optionTable.map((spec) => (spec.type === 'choice' ? choice(spec) : slider(spec)));
    const label = element('label', { htmlFor: 'preset' }, 'Preset');
    const preset = element('div', { className: 'option' }, label, this.#preset, this.#meaning);
    form.append(preset, ...this.#controls.map((control) => control.row));
    this.#choosePreset();
    this.#preset.addEventListener('input', (event) => {
      event.stopPropagation();
      this.#choosePreset();
      onChange();
    });
    form.addEventListener('input', () => {
      this.#nameOptions();
      onChange();
    });
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  /** Those that are not as by default. */
  get options(): Options {
    const changed = this.#controls.filter(({ spec, value }) => value() !== spec.default);
    return Object.fromEntries(changed.map(({ spec, value }) => [spec.name, value()]));
  }

  #choosePreset(): void {
    const preset = PRESETS.find(({ name }) => name === this.#preset.value);
    if (preset !== undefined)
      for (const { spec, set } of this.#controls)
        set(preset.options[spec.name as keyof Options] ?? spec.default);
    this.#meaning.textContent = preset?.meaning ?? 'As set below.';
  }

  /** Says which preset the options are, if they are one. */
  #nameOptions(): void {
    const now = sorted(this.options);
    const preset = PRESETS.find(({ options }) => sorted(options) === now);
    this.#preset.value = preset?.name ?? OWN;
    this.#meaning.textContent = preset?.meaning ?? 'As set below.';
  }
}

const sorted = (options: Options) => JSON.stringify(Object.entries(options).sort());

function presetSelect(): HTMLSelectElement {
  const select = element('select', { id: 'preset' });
  select.setAttribute('aria-describedby', 'preset-meaning');
  for (const { name } of PRESETS) select.append(element('option', { value: name }, words(name)));
  select.append(element('option', { value: OWN }, 'Own settings'));
  return select;
}

function choice(spec: Extract<OptionSpec, { type: 'choice' }>): Control {
  const select = element('select', { id: spec.name, name: spec.name });
  for (const name of spec.choices) select.append(element('option', { value: name }, words(name)));
  return {
    spec,
    row: row(spec, select),
    value: () => select.value,
    set: (value) => {
      select.value = String(value);
    },
  };
}

function slider(spec: Extract<OptionSpec, { type: 'number' }>): Control {
  const { name, min, max, unit } = spec;
  const range = { min: String(min), max: String(max), step: '1' };
  const input = element('input', { id: name, name, type: 'range', ...range });
  const number = element('input', { type: 'number', ...range });
  number.setAttribute('aria-label', `${words(name)}, ${min} to ${max} ${unit}`);
  input.addEventListener('input', () => {
    number.value = input.value;
  });
  number.addEventListener('input', (event) => {
    // Half of a number that is being typed is none.
    if (!number.validity.valid || number.value === '') event.stopPropagation();
    else input.value = number.value;
  });
  number.addEventListener('blur', () => {
    number.value = input.value;
  });
  return {
    spec,
    row: row(spec, input, number, element('span', { className: 'unit' }, unit)),
    value: () => Number(input.value),
    set: (value) => {
      input.value = number.value = String(value);
    },
  };
}

function row(spec: OptionSpec, control: HTMLElement, ...more: HTMLElement[]): HTMLElement {
  const id = `${spec.name}-meaning`;
  control.setAttribute('aria-describedby', id);
  const label = element('label', { htmlFor: spec.name }, words(spec.name));
  const meaning = element('p', { id, className: 'meaning' }, spec.meaning);
  return element('div', { className: 'option' }, label, ...more, control, meaning);
}

/** `cornerThreshold` and `line-art` as people write. */
function words(name: string): string {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
