import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

import type { Part } from './ensurePart.ts';
import { pins } from './pins.ts';
import { runStep, timed, type Report } from './runStep.ts';
import { npmEnv } from './serverPart.ts';

/** A headless Chromium unpacked from its npm package: `chromium` beside its libraries, `lib` with those a system may lack. */
export function chromiumPart(node: string, report: Report): Part {
  return {
    name: 'chromium',
    stamp: JSON.stringify({ chromium: pins.chromium }),
    build: async (dir) => {
      await timed(report, `Chromium ${pins.chromium}`, async () => {
        await install(dir, npmEnv(node));
        const packed = join(dir, 'node_modules', '@sparticuz', 'chromium', 'bin');
        const program = join(dir, 'chromium');
        await unpack(join(packed, 'chromium.br'), program);
        await chmod(program, 0o755);
        await unpackTar(join(packed, 'swiftshader.tar.br'), dir);
        await unpackTar(join(packed, 'al2023.tar.br'), dir);
        await rm(join(dir, 'node_modules'), { recursive: true });
      });
    },
  };
}

/** How to start the unpacked Chromium: with its own copies of system libraries only where the system has none. */
export function chromiumProgram(dir: string): { executable: string; env: Record<string, string> } {
  const executable = join(dir, 'chromium');
  const runs = spawnSync(executable, ['--version'], { stdio: 'ignore' }).status === 0;
  return { executable, env: runs ? {} : { LD_LIBRARY_PATH: join(dir, 'lib') } };
}

async function install(dir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const dependencies = { '@sparticuz/chromium': pins.chromium };
  await writeFile(join(dir, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await runStep('npm', ['install', '--ignore-scripts', '--omit=optional', '--no-package-lock'], {
    cwd: dir,
    env,
  });
}

async function unpack(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function unpackTar(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const tar = join(to, 'unpacking.tar');
  await unpack(from, tar);
  await runStep('tar', ['-xf', tar, '-C', to, '--no-same-owner'], { cwd: to });
  await rm(tar);
}
