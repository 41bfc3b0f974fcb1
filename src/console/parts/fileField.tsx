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
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.files?.[0];
        if (chosen !== undefined) onFile(chosen);
      }}
    />
  </label>
);
