export const EditPage = ({ id }: { readonly id: string }) => <main class="page" id="main"><h1>{id}</h1></main>;
