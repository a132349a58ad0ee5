import type { FileSystem, StagedFile } from '../../../src/host/ports.ts';

/**
 * The disk, with `reach` called before every call that changes something. `reach` may kill the process, and nothing happens in
 * between that it misses: each call puts its thing into place in one step.
 */
export function createCrashingDisk(fs: FileSystem, reach: (call: string) => void): FileSystem {
  const around = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    reach(call);
    return await work();
  };
  const stagedFile = (name: string, file: StagedFile): StagedFile => ({
    commit: () => around(`commit ${name}`, () => file.commit()),
    discard: () => around(`discard ${name}`, () => file.discard()),
  });
  return {
    ...fs,
    writeFile: (path, ...rest) => around(`write ${path}`, () => fs.writeFile(path, ...rest)),
    append: (path, ...rest) => around(`append ${path}`, () => fs.append(path, ...rest)),
    makeDirectory: (path, ...rest) => around(`make ${path}`, () => fs.makeDirectory(path, ...rest)),
    remove: (path) => around(`remove ${path}`, () => fs.remove(path)),
    removeExact: (place) => around(`remove ${place.path}`, () => fs.removeExact(place)),
    removeEmptyExact: (place) => around(`remove ${place.path}`, () => fs.removeEmptyExact(place)),
    stageExact: (place, ...rest) =>
      around(`stage ${place.path}`, async () => stagedFile(place.path, await fs.stageExact(place, ...rest))),
  };
}
