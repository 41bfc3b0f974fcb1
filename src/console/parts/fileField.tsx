interface FileFieldProps {
  readonly name: string;
  /** Endings, with commas between them. */
  readonly accept: string;
  readonly required?: boolean;
  readonly onFile: (file: File) => void;
}

/** A file, with its label. */
export const FileField = ({ name, onFile, ...rest }: FileFieldProps) => (
  <label>
    {name}
    <input
      type="file"
      {...rest}
      // Else a browser tells nothing of a file that is chosen again after it was changed.
      onClick={({ currentTarget }) => (currentTarget.value = '')}
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.files?.[0];
        if (chosen !== undefined) onFile(chosen);
      }}
    />
  </label>
);
