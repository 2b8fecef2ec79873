import type { Results } from '../core/results.ts';
import { comparison, type Match } from './comparison.ts';
import { fidelity } from './fidelity.ts';
import { Look } from './look.ts';
import { list, paragraph, type Report, type Section } from './model.ts';
import { requests } from './requests.ts';
import { cores } from './scale.ts';
import { curves, everything, firstCalls, summary } from './speed.ts';
import { stages } from './stages.ts';

/** The whole report; `compared` where a saved engine took part. */
export function reportOf(results: Results, compared?: { name: string; matches: Match[] }): Report {
  const look = new Look(results);
  const hasPeers = results.contenders.some(({ isOurs }) => !isOurs);
  const sections = [
    ...(compared === undefined ? [] : [comparison(look, compared.name, compared.matches)]),
    ...(hasPeers && results.measurements.length > 0 ? [summary(look)] : []),
    ...(results.measurements.length > 0
      ? [curves(look), ...cores(look), ...stages(look), fidelity(look), firstCalls(look)]
      : []),
    ...(results.requests === undefined ? [] : [requests(results.requests)]),
    conditions(results),
    ...(results.measurements.length > 0 ? [everything(look)] : []),
  ];
  return { title: `tracesmith benchmark, ${results.date.slice(0, 10)}`, sections };
}

function conditions({ machine, commit, mode, date, contenders, measurements, gaps }: Results): Section {
  const blocks = [paragraph(`${date}, commit ${commit}, mode ${mode}. ${machine}`)];
  if (measurements.length > 0) {
    blocks.push(
      paragraph(
        'Each engine has a process of its own and is given decoded pixels; its own defaults apply. The engines take turns, a few calls each, in an order that changes every round. Processor time is that of all threads of the process, compilers and garbage collectors included. Memory is how much the resident memory of the process grows at most during its first call.',
      ),
      list(contenders.map(({ name, about }) => `${name}: ${about}`)),
    );
  }
  if (gaps.length > 0) {
    blocks.push(paragraph('Not in the figures:'), list(gaps.map(({ what, why }) => `${what}: ${why}`)));
  }
  return { title: 'How it was measured', blocks };
}
