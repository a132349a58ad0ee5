import { runSamples } from './runSamples.ts';

await runSamples('tools');
