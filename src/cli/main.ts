import { errorMessage } from '../base/errors.ts';
import { createProgram } from './createProgram.ts';
import { exitCodes } from './exitCodes.ts';
import { processOutput } from './output.ts';

const oldestNode = 22;

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  processOutput.err(
    `error: pincer needs Node ${oldestNode} or newer; this is ${process.versions.node}.\nUse the one that npm ci brings: npx pincer.\n`,
  );
  process.exitCode = exitCodes.usage;
} else {
  createProgram(processOutput)
    .run(process.argv.slice(2))
    .then(
      (code) => {
        process.exitCode = code;
      },
      (error: unknown) => {
        processOutput.err(`error: ${errorMessage(error)}\n`);
        process.exitCode = exitCodes.failed;
      },
    );
}
