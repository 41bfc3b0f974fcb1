/** A part of the console that is loaded where it is needed. Rejects with what a person can do where it is not there. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch {
    throw new Error(
      'A part of this page could not be loaded: the service is away, or newer than the page. Load the page anew.',
    );
  }
}
