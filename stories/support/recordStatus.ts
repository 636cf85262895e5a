/**
 * Records what a list announces: each text that comes into its status region. Screen readers announce a text only if the region was there,
 * empty, before. So the recording starts when the region is empty, and throws if it is not.
 */
export async function recordStatus(find: () => Promise<HTMLElement>) {
  const region = await find();
  if (region.textContent !== '') throw new Error(`The region has a text already: ${region.textContent}`);
  const announced: string[] = [];
  const observer = new MutationObserver(() => {
    if (region.textContent !== '') announced.push(region.textContent);
  });
  observer.observe(region, { childList: true, characterData: true, subtree: true });
  return {
    region,
    /** The texts of this element, without those of another one that would have replaced it. */
    get announced(): readonly string[] {
      if (!region.isConnected) throw new Error('The region was removed.');
      return announced;
    },
    stop: () => observer.disconnect(),
  };
}
