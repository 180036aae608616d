// Workflows as the library has them: started and watched like from a shell, with the result as a value.
