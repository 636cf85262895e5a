/** From this number of words on, a search is a pasted sentence, which has names and numbers of the reader's own app. */
const PASTED_WORDS = 6;
const MOST = 0.7;

export const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Whether a text has the words that a reader searches; of a pasted sentence, most words, or most words of the text in the sentence. */
export function matchesSearch(text: string, words: readonly string[]): boolean {
  const share = (of: readonly string[], isFound: (word: string) => boolean) => of.filter(isFound).length / of.length;
  const lower = text.toLowerCase();
  if (words.length < PASTED_WORDS) return words.every(word => lower.includes(word));
  return (
    share(words, word => lower.includes(word)) >= MOST || share(wordsOf(text), word => words.includes(word)) >= MOST
  );
}

/** The indices of the texts to show. A pasted sentence of another program finds the texts that share most of its longer words. */
export function findTexts(texts: readonly string[], search: string): Set<number> {
  const words = wordsOf(search);
  const indices = texts.map((_, index) => index);
  const found = indices.filter(index => matchesSearch(texts[index]!, words));
  if (found.length > 0 || words.length < PASTED_WORDS) return new Set(found);
  const longer = [...new Set(words)].filter(word => word.length > 3);
  const shared = texts.map(text => longer.filter(word => text.toLowerCase().includes(word)).length);
  const closest = indices.filter(index => shared[index]! > 2).sort((a, b) => shared[b]! - shared[a]!);
  return new Set(closest.slice(0, 3));
}
