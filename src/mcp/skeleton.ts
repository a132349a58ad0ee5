/** Letters of other alphabets that look like Latin ones. */
const twins: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  ɡ: 'g',
  ո: 'n',
  ο: 'o',
  α: 'a',
  ν: 'v',
  ρ: 'p',
  τ: 't',
  ι: 'i',
  κ: 'k',
  ε: 'e',
  υ: 'u',
  ω: 'w',
  ϲ: 'c',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  һ: 'h',
  ԝ: 'w',
  ԛ: 'q',
  ӏ: 'l',
  '0': 'o',
  '1': 'l',
};

/** What a name looks like: names with one skeleton pass for each other. Pure. */
export function skeleton(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\s_.\-/]/gu, '');
  return Array.from(plain, (char) => twins[char] ?? char)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('i', 'l');
}
