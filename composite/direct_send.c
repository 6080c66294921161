typedef int placeholder; 
