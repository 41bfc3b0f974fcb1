import type { RefObject } from 'preact';

interface HiddenFileProps {
  /** By which a button opens it. */
  readonly field: RefObject<HTMLInputElement | null>;
  readonly name: string;
  /** Endings, with commas between them. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** A file that a button asks for; the same one can be chosen again. */
export const HiddenFile = ({ field, name, accept, onFile }: HiddenFileProps) => (
  <input
    ref={field}
    type="file"
    hidden
    aria-label={name}
    accept={accept}
    onChange={({ currentTarget }) => {
      const file = currentTarget.files?.[0];
      currentTarget.value = '';
      if (file !== undefined) onFile(file);
    }}
  />
);
