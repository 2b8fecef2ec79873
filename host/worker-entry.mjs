// tsx does not reach into worker threads by itself: it has to be registered in each before TypeScript is imported.
import { register } from 'tsx/esm/api';

register();
export default (await import('./worker.ts')).default;
