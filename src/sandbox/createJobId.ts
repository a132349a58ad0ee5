const kinds = [
  'amber',
  'brisk',
  'calm',
  'clear',
  'cool',
  'dry',
  'early',
  'fair',
  'fresh',
  'gentle',
  'green',
  'keen',
  'kind',
  'late',
  'light',
  'lucky',
  'mild',
  'neat',
  'pale',
  'plain',
  'quick',
  'quiet',
  'round',
  'sharp',
  'slow',
  'soft',
  'tidy',
  'warm',
  'wide',
  'young',
];
const things = [
  'acorn',
  'bay',
  'beacon',
  'bird',
  'brook',
  'cedar',
  'cloud',
  'comet',
  'coral',
  'crane',
  'dune',
  'ember',
  'fern',
  'fjord',
  'harbor',
  'hill',
  'lake',
  'leaf',
  'maple',
  'meadow',
  'moon',
  'otter',
  'pebble',
  'pine',
  'reef',
  'river',
  'rook',
  'shore',
  'stone',
  'wren',
];

/** Two words that no other id has; a number follows where all are taken. `random` gives a whole number below its argument. */
export function createJobId(isTaken: (id: string) => boolean, random: (below: number) => number): string {
  const start = random(kinds.length * things.length);
  for (let step = 0; ; step += 1) {
    const at = (start + step) % (kinds.length * things.length);
    const round = Math.floor(step / (kinds.length * things.length));
    const words = `${kinds[Math.floor(at / things.length)] ?? ''}-${things[at % things.length] ?? ''}`;
    const id = round === 0 ? words : `${words}-${round + 1}`;
    if (!isTaken(id)) return id;
  }
}
