/** True for an error of the schema while the store read a response. data-client begins its message with these words and the key. */
export function isProcessingError(error: Error): boolean {
  return error.message.startsWith('Error processing ');
}
