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
