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
    .description('show what is indexed, where, and any problems')
    .action(act((options) => runMemoryStatus(options, output)));
  memory
    .command('index')
    .description('scan all files and index what changed')
    .option('--rebuild', 'rebuild the whole index')
    .action(act((options) => runMemoryIndex(options, output)));

  const search = act((options, query) => runMemorySearch(options, query, output));
  memory
    .command('search <query...>')
    .description('search for passages, best first')
    .option('--max <count>', 'maximum number of results; default: from the config', wholeNumber)
    .option('--files <glob>', 'only files that match, such as docs/**; can be repeated', collect)
    .option('--explain', 'explain the ranking of each result')
    .action((words: readonly string[], ...rest: unknown[]) => search(words.join(' '), ...rest));
  memory
    .command('get <file>')
    .description('print an indexed file, or lines of it, such as docs/a.md#L3-L9')
    .option('--from <line>', 'the first line, from 1', wholeNumber)
    .option('--lines <count>', 'how many', wholeNumber)
    .action(act((options, file) => runMemoryGet(options, file, output)));
}

function collect(said: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), said];
}
