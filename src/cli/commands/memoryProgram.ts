import type { Command } from 'commander';
import type { ExitCode } from '../exitCodes.ts';
import type { Output } from '../output.ts';
import { wholeNumber } from '../readNumber.ts';
import type { CliOptions } from '../withRuntime.ts';
import { runMemoryGet } from './memoryGet.ts';
import { runMemoryIndex } from './memoryIndex.ts';
import { runMemorySearch } from './memorySearch.ts';
import { runMemoryStatus } from './memoryStatus.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer memory …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addMemoryCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const memory = program
    .command('memory')
    .description("search the workspace's markdown, and inspect its index");
  memory
    .command('status')
    .description('say what is indexed, where, and what is off or wrong')
    .action(act((options) => runMemoryStatus(options, output)));
  memory
    .command('index')
    .description('scan all files and read what changed')
    .option('--rebuild', 'read everything again')
    .action(act((options) => runMemoryIndex(options, output)));

  const search = act((options, query) => runMemorySearch(options, query, output));
  memory
    .command('search <query...>')
    .description('find passages, best first')
    .option('--max <count>', 'how many; default from the config', wholeNumber)
    .option('--files <glob>', 'only these files, such as docs/**; may be given several times', collect)
    .option('--explain', 'say why each stands where it does')
    .action((words: readonly string[], ...rest: unknown[]) => search(words.join(' '), ...rest));
  memory
    .command('get <file>')
    .description('print a file that is indexed, or some lines of it; docs/a.md#L3-L9 will do')
    .option('--from <line>', 'the first line, from 1', wholeNumber)
    .option('--lines <count>', 'how many', wholeNumber)
    .action(act((options, file) => runMemoryGet(options, file, output)));
}

function collect(said: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), said];
}
