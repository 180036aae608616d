export const greet = () => "hello";
